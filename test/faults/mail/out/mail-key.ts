/** An email of a message to one of its recipients: recipients in Cc have their own emails with the same id. */
export const mailKey = (messageId: string, recipient: string): string => `${messageId} ${recipient}`;

/** SQL for the key of a row of `outgoing_mails`. */
export const MAIL_KEY = "coalesce(message_id, copy_of) || ' ' || recipient";
