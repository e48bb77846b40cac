import { hasTooManyTags, isPlainText, plainText } from './plain-text.js';
import { looksLikeHtml, safeHtml } from './safe-html.js';
import { textWithoutTags } from './text-without-tags.js';
import type { Message } from '#libs/entities';

/** Derived from a body once, when it is written. */
export type RenderedBody = Pick<Message, 'plainTextBody' | 'shownAs' | 'safeHtml'>;

/** The worst markup of this size takes less than two milliseconds: docs/decisions/message-bodies.md. */
const QUICK_CHARACTERS = 6000;
const QUICK_SIGNS = 500;

export function isQuicklyRendered(body: string): boolean {
  if (body.length > QUICK_CHARACTERS) return isPlainText(body);
  return (body.match(/[<&]/g)?.length ?? 0) <= QUICK_SIGNS;
}

export function renderBody(body: string): RenderedBody {
  const rendered = { plainTextBody: plainText(body), safeHtml: null };
  if (isPlainText(body) || !looksLikeHtml(body)) return { ...rendered, shownAs: 'text' };
  if (hasTooManyTags(body)) return { ...rendered, shownAs: 'text_of_html' };
  return { ...rendered, shownAs: 'html', safeHtml: safeHtml(body) };
}

/** For a body that exceeds the time or memory of the renderer. */
export const renderWithoutMarkup = (body: string): RenderedBody => ({
  plainTextBody: textWithoutTags(body),
  shownAs: 'text_of_html',
  safeHtml: null,
});
