import { SeededChoices } from '#test/support/seeded-choices.js';
import { hostileText } from './hostile.js';
import type { World } from './world.js';

/** The parts of a request that can be made wrong. */
const TWISTS = ['caller', 'path', 'query', 'fields', 'fields', 'body', 'headers', 'method', 'wire'] as const;
export type Twist = (typeof TWISTS)[number];

/** Share of valid requests, so that the handlers have work to do. */
const PLAIN_SHARE = 0.5;
const TWISTED_TWICE_SHARE = 0.15;

/** All choices for one request. The same seed and number make the same request to the same world. */
export class RequestPlan {
  readonly choices: SeededChoices;
  private readonly twists: ReadonlySet<Twist>;

  constructor(
    seed: number,
    readonly index: number,
    readonly world: World,
  ) {
    this.choices = new SeededChoices(`fuzz/${seed}/${index}`);
    this.twists = this.chooseTwists();
  }

  has(twist: Twist): boolean {
    return this.twists.has(twist);
  }

  /** Usually a correct value; if this part of the request is to be wrong, often another. */
  textFor(twist: Twist, right: () => string): string {
    return this.has(twist) && this.choices.isLikely(0.6) ? hostileText(this.choices) : right();
  }

  some<T>(from: readonly T[], probability = 0.5): T[] {
    return from.filter(() => this.choices.isLikely(probability));
  }

  private chooseTwists(): Set<Twist> {
    if (this.choices.isLikely(PLAIN_SHARE)) return new Set();
    const first = this.choices.pick(TWISTS);
    return new Set(this.choices.isLikely(TWISTED_TWICE_SHARE) ? [first, this.choices.pick(TWISTS)] : [first]);
  }
}

/** Encodes as UTF-8 where possible: half a surrogate pair becomes its three invalid bytes. */
export const encoded = (text: string): string =>
  text
    .split(/(\p{Surrogate})/u)
    .map((part) => (/^\p{Surrogate}$/u.test(part) ? '%ED%A0%80' : encodeURIComponent(part)))
    .join('');
