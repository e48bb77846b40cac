/** Most browsers also name those further down. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg\/(\d{1,4})/, 'Edge'],
  [/\bOPR\/(\d{1,4})/, 'Opera'],
  [/\bFirefox\/(\d{1,4})/, 'Firefox'],
  [/\b(?:Headless)?Chrome\/(\d{1,4})/, 'Chrome'],
  [/\bVersion\/(\d{1,4})[\d.]{0,20} (?:Mobile(?:\/\w{1,20})? )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

export const browserLabel = (userAgent: string): string =>
  recognisedBrowser(userAgent) ?? (userAgent.slice(0, 80) || 'unknown');

export function recognisedBrowser(userAgent: string): string | undefined {
  for (const [mark, name] of BROWSERS) {
    const version = mark.exec(userAgent)?.[1];
    const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1];
    if (version) return system ? `${name} ${version} on ${system}` : `${name} ${version}`;
  }
  return undefined;
}
