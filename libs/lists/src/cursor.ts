import { isUuid } from '#libs/database';
import { Conflict, InvalidField } from '#libs/entities';

/** Checks of sort keys in a cursor. */
const KEY_TYPES = {
  timestamptz: (text: string) => isTime(text),
  integer: (text: string) => /^\d{1,10}$/.test(text) && Number(text) <= 2_147_483_647,
  bigint: (text: string) => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n,
  uuid: isUuid,
  text: (text: string) => text.length <= 500 && !/[\0\p{Surrogate}]/u.test(text),
} as const;

/** Accepts only what `encodeCursor` writes. PostgreSQL knows no year 0. */
function isTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && time.getUTCFullYear() > 0;
}

export type KeyType = keyof typeof KEY_TYPES;

export interface Cursor {
  readonly direction: 'after' | 'before';
  readonly sort: string;
  readonly keys: readonly string[];
}

/** Not signed: a cursor is no secret and grants nothing. */
export const encodeCursor = ({ direction, sort, keys }: Cursor): string =>
  Buffer.from(JSON.stringify([direction, sort, ...keys])).toString('base64url');

export function decodeCursor(text: string, sort: string, types: readonly KeyType[]): Cursor {
  const parsed = parse(text);
  if (!Array.isArray(parsed) || parsed.length !== types.length + 2) throw invalid();
  const [direction, itsSort, ...keys] = parsed as unknown[];
  const sound = types.every((type, place) => typeof keys[place] === 'string' && KEY_TYPES[type](keys[place]));
  if ((direction !== 'after' && direction !== 'before') || itsSort !== sort || !sound) throw invalid();
  return { direction, sort, keys: keys as string[] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

const invalid = (): InvalidField =>
  new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from a list with this sort');

/** A cursor from before a restore may count rows as read that do not exist here. */
export const cursorOfAnotherHistory = (advice: string): Conflict =>
  new Conflict(
    'cursor_of_another_history',
    `The database has been restored or replaced since this cursor was given out. ${advice}`,
  );
