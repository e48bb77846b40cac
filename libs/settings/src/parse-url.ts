/** `URL.canParse` of Node 20 refuses letters such as ü after some thousand calls, when the engine has optimized it. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
