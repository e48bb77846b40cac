import { expect, it } from 'vitest';
import { checkSubject, checkTokenIn } from './check-subject.js';

const TOKEN = '0123456789abcdef';
const SUBJECT = checkSubject('support@desk.test', TOKEN);

it.each([
  ['unchanged', SUBJECT, [], TOKEN],
  ['with a prefix added by a server', `[EXTERNAL] ${SUBJECT} `, [], TOKEN],
  ['in a reply', `Re: ${SUBJECT}`, ['0199@desk.test'], null],
  ['followed by words', `${SUBJECT} please`, [], null],
  ['too short', 'Test [t.0123456789abcde]', [], null],
  ['with other characters', 'Test [t.0123456789abcdez]', [], null],
])('looks for the token of a check in a subject: %s', (_, subject, ancestors, token) => {
  expect(checkTokenIn({ subject, ancestors })).toBe(token);
});
