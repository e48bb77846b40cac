/** Shorter values could be words of any response. */
const MIN_HIDDEN_CHARACTERS = 8;

export type Credentials = Readonly<Record<string, string>>;

/** A receiver may echo the request. People who may not see the values can read its response in the record of the attempt. */
export function hideCredentials(text: string, credentials: Credentials): string {
  const secrets = Object.values(credentials)
    .flatMap(formsOf)
    .filter(({ length }) => length >= MIN_HIDDEN_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
  return secrets.reduce((hidden, secret) => cutAtEnd(hidden.replaceAll(secret, '[hidden]'), secret), text);
}

/** Also the token without its scheme, the decoded password, and each as a string of JSON. */
function formsOf(value: string): string[] {
  const token = value.slice(value.indexOf(' ') + 1);
  const decoded = value.startsWith('Basic ') ? Buffer.from(token, 'base64').toString() : '';
  const forms = [value, token, decoded, decoded.slice(decoded.indexOf(':') + 1)];
  return forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}

/** Only the beginning of a response is kept, and may end within a value. */
function cutAtEnd(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= MIN_HIDDEN_CHARACTERS; length--)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}[hidden]`;
  return text;
}
