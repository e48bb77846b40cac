export const mailboxPath = (id: string): string => `/settings/mailboxes/${id}`;

export const testPath = (id: string): string => `${mailboxPath(id)}/test`;

/** The settings of IMAP, or what is done with them. */
export const imapPath = (id: string, action?: string): string =>
  `${mailboxPath(id)}/imap${action === undefined ? '' : `/${action}`}`;
