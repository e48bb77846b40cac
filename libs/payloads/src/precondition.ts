import { PreconditionFailed } from '#libs/entities';
import { entityTag } from './record-payload.js';

/** The ETags of `If-Match`. Absent without the header, and for `*`. */
type Precondition = { readonly ifMatch?: readonly string[] };

/** Call it with the record locked. */
export function requireUnchanged(precondition: Precondition, shown: () => readonly object[]): void {
  if (!isUnchanged(precondition, shown)) throw new PreconditionFailed();
}

/** For a change that first reports unknown references, which is the better response. */
export const isUnchanged = ({ ifMatch }: Precondition, shown: () => readonly object[]): boolean =>
  !ifMatch || shown().some((body) => ifMatch.includes(entityTag(body)));
