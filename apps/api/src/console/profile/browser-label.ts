/** The order matters: most browsers also claim to be those further down. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/^(?=.*Safari\/).*?\bVersion\/(\d+)/, 'Safari'],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** A short name by which people recognise their browser. An unknown user agent is shown as it is. */
export function browserLabel(userAgent: string): string {
  for (const [mark, name] of BROWSERS) {
    const version = mark.exec(userAgent)?.[1];
    const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1];
    if (version) return system ? `${name} ${version} on ${system}` : `${name} ${version}`;
  }
  return userAgent.slice(0, 80) || 'unknown';
}
