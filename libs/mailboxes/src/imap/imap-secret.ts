/** What opens a server. It is sealed as one text. */
export type ImapSecret =
  { readonly password: string } | { readonly refreshToken: string; readonly clientSecret: string | null };

export const sealedText = (secret: ImapSecret): string => JSON.stringify(secret);

export const secretIn = (text: string): ImapSecret => JSON.parse(text) as ImapSecret;
