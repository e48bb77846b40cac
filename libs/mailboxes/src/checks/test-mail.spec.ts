import { expect, it } from 'vitest';
import { testSubject, testTokenIn } from './test-mail.js';

const TOKEN = '0123456789abcdef';
const SUBJECT = testSubject('support@desk.test', TOKEN);

it.each([
  ['as it went out', SUBJECT, [], TOKEN],
  ['with words of a server before it', `[EXTERNAL] ${SUBJECT} `, [], TOKEN],
  ['in an answer to it', `Re: ${SUBJECT}`, ['0199@desk.test'], null],
  ['with words behind it', `${SUBJECT} please`, [], null],
  ['too short', 'Test [t.0123456789abcde]', [], null],
  ['with other signs', 'Test [t.0123456789abcdez]', [], null],
])('the mark of a test %s', (_, subject, ancestors, token) => {
  expect(testTokenIn({ subject, ancestors })).toBe(token);
});
