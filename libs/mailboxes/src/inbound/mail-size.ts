/** What the largest providers let through. */
export const MAX_MAIL_BYTES = 50 * 1024 * 1024;
