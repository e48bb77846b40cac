import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { hostileMarkup, shownForms } from '#test/support/hostile-markup.js';

/** Each left its message in the sanitizer's form, or does so in a browser although its tags match. */
const ESCAPES = [
  '<img src="x:1"><a href="https://evil.example/">order</a>',
  '<img src="x:1"><table><tr><td>x</td></tr></table>',
  '<img src="x:1"><s>',
  '<table><div><table></table></div></table><a href="https://evil.example/">order</a>',
  '<table><tr><td><div><table><table></table></table></div><s>x</s></td></tr></table>',
  '<table><tr><td><div><td></td></div><div><table></table></div><s>x</s></td></tr></table>',
  '<table><ul><li><table></table></li></ul></table><s>x</s>',
  '<li><div><li>x</li></div></li><s>x</s>',
  '<ul><li><div><li>x</li></div></li></ul><s>x</s>',
];

describe('the markup of a message, parsed by a browser', () => {
  it('neither leaves its element nor takes in others', async () => {
    const bodies = [...ESCAPES, ...fc.sample(hostileMarkup, 400)];
    const forms = [...new Set(bodies.flatMap((body, at) => shownForms(body, (at % 10) / 10)))];
    const page = await (await sharedBrowser()).newPage();
    try {
      expect(await escapedFrom(page, forms)).toEqual([]);
    } finally {
      await page.close();
    }
  }, 60_000);
});

/** Parses each in a page and in a part of a page, as htmx does. */
const escapedFrom = (page: Page, forms: readonly string[]): Promise<string[]> =>
  page.evaluate((all) => {
    const OUTSIDE = 'ol li article div p form textarea';
    const escaped = (html: string, [before, after]: readonly [string, string]): boolean => {
      const thread = `<ol><li><article><div id="body">${html}</div><p></p></article></li></ol><form><textarea></textarea></form>`;
      const parsed = Document.parseHTMLUnsafe(`<!doctype html>${before}${thread}${after}`);
      const root = parsed.querySelector('template')?.content ?? parsed.body;
      const outside = [...root.querySelectorAll('*')].filter((element) => !element.closest('#body > *'));
      const [ol, li, article, body, p, form, textarea] = outside;
      const isInPlace =
        li?.parentNode === ol &&
        article?.parentNode === li &&
        body?.parentNode === article &&
        p?.parentNode === article;
      return (
        !isInPlace ||
        form?.parentNode !== root ||
        textarea?.parentNode !== form ||
        outside.map(({ localName }) => localName).join(' ') !== OUTSIDE
      );
    };
    return all.filter((html) => escaped(html, ['', '']) || escaped(html, ['<template>', '</template>']));
  }, forms);

describe('the page of a ticket', () => {
  const console = consoleForTests();

  it.each(ESCAPES)('keeps the note of a colleague and the composer out of %j', async (body) => {
    const { desk } = console;
    const from = 'ana@client.test';
    const { ticket } = (await desk.client().post('/v1/tickets', { from, to: desk.account.mailbox.email, body })).body;
    const path = `/v1/tickets/${ticket.number}/messages`;
    await desk.client().post(path, { body: 'Only for <b>us</b>', note: true });
    const page = await console.signedIn();
    await page.goto(`/tickets/${ticket.number}`);

    const note = page.locator('ol > li.note').filter({ hasText: 'Only for us' });
    await note.waitFor();
    expect(await page.locator('ol[aria-label=Messages] > li.message').count()).toBe(2);
    expect(await page.locator('.body :is(form, textarea, .body, .message)').count()).toBe(0);
    expect(await page.locator('#composer').count()).toBe(1);
    const ofSender = page.locator('s, a[href="https://evil.example/"]');
    const elsewhere = await ofSender.evaluateAll((all) =>
      all.filter((one) => !one.closest('.from-customer .body')).map(({ outerHTML }) => outerHTML),
    );
    expect(elsewhere).toEqual([]);
    expect(console.browserErrors).toEqual([]);
  });
});
