/** Half of what browsers take as one cookie: encoded and signed, it is a third longer. */
export const MAX_RETURN_TO_CHARACTERS = 2048;

/** Only a path of this site. To a browser, `//evil` and `/\evil` are other hosts. */
export const localPath = (text: string | undefined): string =>
  text && /^\/(?![/\\])[\u0021-\u007e]*$/.test(text) ? text : '/';

/** Without its query if it is too long to be remembered. */
export function returnablePath(text: string): string {
  const path = localPath(text);
  const candidates = [path, path.split('?', 1)[0]!];
  return candidates.find(({ length }) => length <= MAX_RETURN_TO_CHARACTERS) ?? '/';
}
