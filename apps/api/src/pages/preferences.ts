import type { PageNotice } from './page-response.js';

const THEMES = ['system', 'light', 'dark'] as const;
const AFTER_SENDING = ['stay', 'next', 'back'] as const;
export type Theme = (typeof THEMES)[number];

/** What a person set for this browser. */
export interface Preferences {
  readonly theme: Theme;
  readonly shortcuts: boolean;
  readonly afterSending: (typeof AFTER_SENDING)[number];
}

type RawPreferences = Readonly<Record<string, unknown>>;

/** Accepts any values, because people can edit a cookie. */
export function parsePreferences({ theme, shortcuts, after }: RawPreferences): Preferences {
  return {
    theme: THEMES.find((known) => known === theme) ?? 'system',
    shortcuts: shortcuts !== 'off',
    afterSending: AFTER_SENDING.find((known) => known === after) ?? 'stay',
  };
}

export const readPreferences = (cookie: string | undefined): Preferences =>
  parsePreferences(Object.fromEntries(new URLSearchParams(cookie ?? '')));

export const writePreferences = ({ theme, shortcuts, afterSending }: Preferences): string =>
  new URLSearchParams({ theme, shortcuts: shortcuts ? 'on' : 'off', after: afterSending }).toString();

const MAX_NOTICE_CHARACTERS = 300;

export function readNotice(cookie: string | undefined): PageNotice | null {
  const [, tone, text] = /^(good|bad) (.+)$/s.exec(Buffer.from(cookie ?? '', 'base64url').toString()) ?? [];
  return text && (tone === 'good' || tone === 'bad') ? { tone, text: text.slice(0, MAX_NOTICE_CHARACTERS) } : null;
}

/** Encoded, because a notice may have characters that a header cannot. */
export const writeNotice = ({ tone, text }: PageNotice): string =>
  Buffer.from(`${tone} ${text.slice(0, MAX_NOTICE_CHARACTERS)}`).toString('base64url');
