export const mailboxPath = (id: string): string => `/settings/mailboxes/${id}`;
