import { isUuid } from '#libs/database';

/** The Message-ID under which a message of ours goes out. */
export const mailIdOfMessage = (messageId: string, host: string): string => `${messageId}@${host}`;

/** The message of ours that has this Message-ID, if it can be one. */
export function messageOfMailId(mailId: string): string | null {
  const [local = ''] = mailId.split('@', 1);
  return isUuid(local) ? local : null;
}
