import { Conflict } from '#libs/entities';

/**
 * Answers a cursor issued before a restore. It may count rows as read that do not exist here. `advice` says what to do
 * instead.
 */
export const cursorOfAnotherHistory = (advice: string): Conflict =>
  new Conflict(
    'cursor_of_another_history',
    `The database has been restored or replaced since this cursor was given out. ${advice}`,
  );
