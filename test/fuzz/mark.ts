/** Text in every record of the account. It has leaked if another account sees it. */
export const markOf = (accountId: string): string => `mark-${accountId}`;
export const MARK = /mark-([\da-f]{8}-[\da-f-]{27})/g;
