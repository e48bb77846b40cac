export const mailboxPath = (id: string): string => `/settings/mailboxes/${id}`;

export const testPath = (id: string): string => `${mailboxPath(id)}/test`;

/** The import of older mail, or what is done with it. */
export const importPath = (id: string, action?: string): string =>
  imapPath(id, action === undefined ? 'import' : `import/${action}`);

/** The settings of IMAP, or what is done with them. */
export const imapPath = (id: string, action?: string): string =>
  `${mailboxPath(id)}/imap${action === undefined ? '' : `/${action}`}`;
