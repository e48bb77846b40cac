export type ImapSecret =
  | { readonly password: string }
  | { readonly refreshToken: string; readonly clientSecret: string | null };

export const sealedText = (secret: ImapSecret): string => JSON.stringify(secret);
