/** A blank line or a comment. systemd allows no comments after a value. */
const IGNORED = /^[ \t]*(?:[#;].*)?(?:\n|$)/;
const NAME = /^[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*/;
const VALUE = /^(?:"(?:\\[^]|[^"\\])*"|'[^']*'|\\[^]|[^"'\\\n])*/;
const PART = /"((?:\\[^]|[^"\\])*)"|'([^']*)'|\\([^])|([^"'\\]+)/g;

/** Reads a file as systemd reads `EnvironmentFile=` (systemd.exec(5)). */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (let rest = text; rest !== '';) {
    const ignored = IGNORED.exec(rest)?.[0];
    if (ignored !== undefined) {
      rest = rest.slice(ignored.length);
      continue;
    }
    const [start, name = ''] = NAME.exec(rest) ?? [];
    if (start === undefined) throw new Error(`not a setting: ${rest.split('\n')[0]}`);
    const value = VALUE.exec(rest.slice(start.length))![0];
    settings[name] = unquote(value.trimEnd());
    rest = rest.slice(start.length + value.length).replace(/^\n/, '');
  }
  return settings;
}

function unquote(value: string): string {
  return value.replaceAll(PART, (_all, double?: string, single?: string, escaped?: string, plain?: string) => {
    if (double !== undefined) return double.replaceAll(/\\(?:\n|(["\\`$]))/g, '$1');
    return single ?? (escaped === '\n' ? '' : escaped) ?? plain ?? '';
  });
}
