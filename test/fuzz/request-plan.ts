import { SeededChoices } from '../support/seeded-choices.js';
import { hostileText } from './hostile.js';
import type { World } from './world.js';

/** The parts of a request that can be made wrong. */
const TWISTS = ['caller', 'path', 'query', 'fields', 'fields', 'body', 'headers', 'method', 'wire'] as const;
export type Twist = (typeof TWISTS)[number];

/** This share of the requests is as a client would send them, so that the handlers have work to do. */
const PLAIN_SHARE = 0.5;
const TWISTED_TWICE_SHARE = 0.15;

/** Everything that one request is made from. The same seed and number make the same request of the same world. */
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

  /** Usually one of the right values; where this part of the request is to be wrong, often something else. */
  textFor(twist: Twist, right: () => string): string {
    return this.has(twist) && this.choices.isLikely(0.6) ? hostileText(this.choices) : right();
  }

  /** A part of them, each with the same probability. */
  some<T>(from: readonly T[], probability = 0.5): T[] {
    return from.filter(() => this.choices.isLikely(probability));
  }

  private chooseTwists(): Set<Twist> {
    if (this.choices.isLikely(PLAIN_SHARE)) return new Set();
    const first = this.choices.pick(TWISTS);
    return new Set(this.choices.isLikely(TWISTED_TWICE_SHARE) ? [first, this.choices.pick(TWISTS)] : [first]);
  }
}

/** As far as it can be: half a surrogate pair becomes the three bytes that no UTF-8 has. */
export const encoded = (text: string): string =>
  text
    .split(/(\p{Surrogate})/u)
    .map((part) => (/^\p{Surrogate}$/u.test(part) ? '%ED%A0%80' : encodeURIComponent(part)))
    .join('');
