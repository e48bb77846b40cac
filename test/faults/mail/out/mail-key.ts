/** A mail of a message to one of its recipients: those in Cc have mails of their own, under the same id. */
export const mailKey = (messageId: string, recipient: string): string => `${messageId} ${recipient}`;

/** The same of rows of `outgoing_mails`. */
export const MAIL_KEY = "coalesce(message_id, copy_of) || ' ' || recipient";
