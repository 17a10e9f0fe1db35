"""Which formation holds against heavy cavalry, and at which charge distance?"""

import grognard as g


def main() -> None:
    study = g.Study.load("square-vs-line").set("approach", "front").set("attacker.0.type", "heavy-cavalry")
    study = study.vary("distance", range(4, 17, 4))
    answer = study.run(runs=500, seed=1815, keep="all", progress=False)
    for row in answer.share("defender", by=["formation", "distance"]).to_dicts():
        formation, distance = row["defender_0_formation"], row["distance"]
        print(f"{formation:>10} at {distance:>2} inches holds in {row['share']:.0%} ({row['low']:.0%} to {row['high']:.0%})")
    gain: g.Estimate = answer.contrast("defender", {"formation": "square"}, {"formation": "line"})
    print(f"square instead of line: {100 * gain.mean:+.1f} points")
    odds = g.Study.load("square-vs-line").exact(cells=18, max_time=60.0)
    print(f"the odds of cell 18 are known to {max(row['error'] for row in odds.work.to_dicts()):.0e}")
    replay = study.replay(cell=0, battle=4)
    print(f"{len(replay.events)} events, won by {replay.outcome['winner']}")


if __name__ == "__main__":
    main()
