import { expect, it } from 'vitest';
import { isSignedForm, withoutTokens } from './signed-address.js';

const SIGNATURE = '0123456789abcdef';
const TICKET = `support+42.${SIGNATURE}@desk.test`;

it.each([
  ['the reply address of a ticket', `Write to ${TICKET}.`, 'Write to support@desk.test.'],
  ['a Return-Path', `<support+b.${SIGNATURE}@desk.test>`, '<support@desk.test>'],
  ['the reply address of an agent', `support+a42.01234567${SIGNATURE}@desk.test`, 'support@desk.test'],
  ['upper case', TICKET.toUpperCase(), 'SUPPORT@DESK.TEST'],
  ['a mailbox with a tag', `support+eu+42.${SIGNATURE}@desk.test`, 'support+eu@desk.test'],
  ['two addresses', `${TICKET},${TICKET}`, 'support@desk.test,support@desk.test'],
  ['a link', `<a href="mailto:support%2B42.${SIGNATURE}%40desk.test">`, '<a href="mailto:support%40desk.test">'],
  ['markup', `support&#43;42.${SIGNATURE}&#64;desk.test`, 'support&#64;desk.test'],
  ['hexadecimal markup', `support&#x2B;42.${SIGNATURE}&#x40;desk.test`, 'support&#x40;desk.test'],
])('removes the token from %s', (_, text, expected) => {
  expect(withoutTokens(text)).toBe(expected);
});

it.each([
  'ana+news@example.com',
  'ana+42@example.com',
  `ana+42.${SIGNATURE}`,
  `ana+0.${SIGNATURE}@example.com`,
  `ana+42.${SIGNATURE}0@example.com`,
  `ana+a42.${SIGNATURE}@example.com`,
  `ana+42.${SIGNATURE.replace('f', 'z')}@example.com`,
  `42.${SIGNATURE}@example.com`,
])('keeps %s, which is no signed address', (text) => {
  expect(withoutTokens(text)).toBe(text);
  expect(isSignedForm(text)).toBe(false);
});
