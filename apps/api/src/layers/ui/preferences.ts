import type { PageNotice } from './page-response.js';

const THEMES = ['system', 'light', 'dark'] as const;
const AFTER_SENDING = ['stay', 'next', 'back'] as const;
export type Theme = (typeof THEMES)[number];

export type Preferences = Readonly<ReturnType<typeof parsePreferences>>;

/** Accepts any values, because a cookie can be edited. */
export function parsePreferences({ theme, shortcuts, after, take, closing }: Readonly<Record<string, unknown>>) {
  return {
    theme: THEMES.find((known) => known === theme) ?? 'system',
    shortcuts: shortcuts !== 'off',
    afterSending: AFTER_SENDING.find((known) => known === after) ?? 'stay',
    takesReplied: take === 'on',
    nextAfterClosing: closing === 'next',
  };
}

export const readPreferences = (cookie: string | undefined): Preferences =>
  parsePreferences(Object.fromEntries(new URLSearchParams(cookie ?? '')));

export const writePreferences = ({ theme, shortcuts, afterSending, takesReplied, nextAfterClosing }: Preferences) =>
  new URLSearchParams({
    theme,
    shortcuts: shortcuts ? 'on' : 'off',
    after: afterSending,
    ...(takesReplied && { take: 'on' }),
    ...(nextAfterClosing && { closing: 'next' }),
  }).toString();

const MAX_NOTICE_CHARACTERS = 300;

/** The only forms that undo something: a browser may send any cookie. */
const UNDO_PATH = /^\/tickets\/(undo|(\d{1,10}\/replies|new)\/[0-9a-f-]{36}\/undo)$/;

/** Browsers drop longer cookies. A notice with a longer undo form is shown without it. */
const MAX_UNDO_CHARACTERS = 2400;

export function readNotice(cookie: string | undefined): PageNotice | null {
  const [head = '', ...lines] = Buffer.from(cookie ?? '', 'base64url')
    .toString()
    .split('\n');
  const [tone, ticket = '', until = '', undo = ''] = head.split(' ');
  const text = lines.join('\n').slice(0, MAX_NOTICE_CHARACTERS);
  if (!text || (tone !== 'good' && tone !== 'bad')) return null;
  const [path = '', query] = undo.split('?', 2);
  const fields = Object.fromEntries(new URLSearchParams(query));
  return {
    tone,
    text,
    ...(/^\d{1,10}$/.test(ticket) && { ticket: Number(ticket) }),
    ...(/^\d{1,15}$/.test(until) && { until: new Date(Number(until)) }),
    ...(UNDO_PATH.test(path) && { undo: { path, fields } }),
  };
}

export function writeNotice({ tone, text, ticket, until, undo }: PageNotice): string {
  const way = undo ? `${undo.path}?${new URLSearchParams(undo.fields).toString()}` : '';
  const shown = way.length > MAX_UNDO_CHARACTERS ? '' : way;
  const head = [tone, ticket ?? '-', until?.getTime() ?? '-', shown].join(' ');
  return Buffer.from(`${head}\n${text.slice(0, MAX_NOTICE_CHARACTERS)}`).toString('base64url');
}
