import { expect, it } from 'vitest';
import { checkSubject, checkTokenIn } from './check-mails.service.js';

const TOKEN = '0123456789abcdef';
const SUBJECT = checkSubject('support@desk.test', TOKEN);

it.each([
  ['as it went out', SUBJECT, [], TOKEN],
  ['with words of a server before it', `[EXTERNAL] ${SUBJECT} `, [], TOKEN],
  ['in an answer to it', `Re: ${SUBJECT}`, ['0199@desk.test'], null],
  ['with words behind it', `${SUBJECT} please`, [], null],
  ['too short', 'Test [t.0123456789abcde]', [], null],
  ['with other signs', 'Test [t.0123456789abcdez]', [], null],
])('finds the token of a check %s', (_, subject, ancestors, token) => {
  expect(checkTokenIn({ subject, ancestors })).toBe(token);
});
