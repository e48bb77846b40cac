import { describe, expect, it } from 'vitest';
import { MailEnding } from './mail-ending.js';

const MAIL = 'Subject: Hello\r\nMessage-ID: <one@desk.test>\r\n\r\n..\r\n. \r\nBye';

function pass(text: string, bytes: number): { passed: string; behind: string | null; ending: MailEnding } {
  const ending = new MailEnding();
  let [passed, behind]: [string, string | null] = ['', null];
  for (let at = 0; at < text.length && behind === null; at += bytes) {
    const taken = ending.take(Buffer.from(text.slice(at, at + bytes)));
    passed += taken.passing.toString();
    if (taken.behind) behind = taken.behind.toString() + text.slice(at + bytes);
  }
  return { passed, behind, ending };
}

describe('the reader of a passing mail', () => {
  it.each([1, 2, 3, 4, 5, 7, 1_000])('finds and holds back the end, in pieces of %i bytes', (bytes) => {
    const { passed, behind, ending } = pass(`${MAIL}\r\n.\r\nQUIT\r\n`, bytes);

    expect([passed, behind, ending.id]).toEqual([MAIL, 'QUIT\r\n', 'one']);
    expect(ending.end.toString()).toBe('\r\n.\r\n');
  });

  it.each([1, 3, 100])('holds back all of an empty mail, in pieces of %i bytes', (bytes) => {
    const { passed, behind, ending } = pass('.\r\nQUIT\r\n', bytes);

    expect([passed, behind, ending.end.toString()]).toEqual(['', 'QUIT\r\n', '.\r\n']);
  });
});
