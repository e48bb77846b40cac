import { Conflict } from '#libs/entities';

/** The answer to a cursor that counts as seen what may not be here. `advice` says what to do instead. */
export const cursorOfAnotherHistory = (advice: string): Conflict =>
  new Conflict(
    'cursor_of_another_history',
    `The database has been restored or replaced since this cursor was given out. ${advice}`,
  );
