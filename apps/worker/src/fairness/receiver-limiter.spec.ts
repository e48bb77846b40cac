import { describe, expect, it } from 'vitest';
import { ReceiverLane } from './receiver-lane.js';

type Request = ReturnType<ReceiverLane['start']>;

function fill(lane: ReceiverLane, now = 0): Request[] {
  const requests: Request[] = [];
  while (!lane.isFull) requests.push(lane.start(now));
  return requests;
}

describe('the lane to a receiver', () => {
  it('lets a few through before the receiver has answered', () => {
    expect(fill(new ReceiverLane(400))).toHaveLength(8);
  });

  it('doubles with each round of answers while more is waiting, up to its widest', () => {
    const lane = new ReceiverLane(30);
    const rounds = [fill(lane)];
    for (let round = 1; round <= 3; round++)
      rounds.push(
        rounds.at(-1)!.flatMap(({ answered }) => {
          answered(round);
          return fill(lane, round);
        }),
      );

    expect(rounds.map(({ length }) => length)).toEqual([8, 16, 30, 30]);
  });

  it('does not widen for a receiver that needs no more', () => {
    const lane = new ReceiverLane(400);
    for (let one = 0; one < 100; one++) lane.start(one).answered(one);

    expect(fill(lane)).toHaveLength(8);
  });

  it('narrows to one after a time-out, and recovers with answers', () => {
    const lane = new ReceiverLane(400);
    lane.start(0).timedOut();
    const probe = fill(lane);
    expect(probe).toHaveLength(1);
    for (let round = 0; round < 4; round++) for (const { answered } of fill(lane)) answered(round);
    probe[0]!.answered(5);

    expect(fill(lane).length).toBeGreaterThan(1);
  });

  it('is silent once nothing was heard for a second with requests out', () => {
    const lane = new ReceiverLane(400);
    const [first] = fill(lane, 0);

    expect(lane.isSilent(900)).toBe(false);
    expect(lane.isSilent(1_100)).toBe(true);
    first!.answered(1_200);
    expect(lane.isSilent(1_300)).toBe(false);
  });

  it('is not silent while nothing is out', () => {
    const lane = new ReceiverLane(400);
    lane.start(0).withdrawn();

    expect(lane.isSilent(60_000)).toBe(false);
  });

  it('counts the requests that are out for longer than a prompt receiver takes', () => {
    const lane = new ReceiverLane(400);
    lane.start(0);
    lane.start(100);
    lane.start(900);

    expect(lane.slowCount(1_000)).toBe(2);
  });
});
