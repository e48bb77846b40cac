import { Conflict, InvalidField } from '#libs/entities';

/** The times of a record that comes from another system. Such a record notifies no one. */
export interface Imported {
  /** Default: now. */
  readonly createdAt?: Date | undefined;
  readonly closedAt?: Date | undefined;
}

/** Returns when the record was created: now, unless it is imported. */
export function createdAtOf(imported: Imported | undefined, now: Date): Date {
  const { createdAt: created = now, closedAt } = imported ?? {};
  if (created > now) throw new InvalidField('created_at', 'in_the_future', 'created_at must not be in the future');
  if (closedAt && closedAt > now)
    throw new InvalidField('closed_at', 'in_the_future', 'closed_at must not be in the future');
  if (closedAt && closedAt < created)
    throw new InvalidField('closed_at', 'before_created_at', 'closed_at must not be before created_at');
  return created;
}

/** An import can be repeated: a record that exists already is returned unchanged. */
export async function importOnce<Row>(find: () => Promise<Row | null>, create: () => Promise<Row>) {
  const known = await find();
  if (known) return { record: known, isNew: false };
  try {
    return { record: await create(), isNew: true };
  } catch (error) {
    const other = error instanceof Conflict ? await find() : null;
    if (!other) throw error;
    return { record: other, isNew: false };
  }
}
