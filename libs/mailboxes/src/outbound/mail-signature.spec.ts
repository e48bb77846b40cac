import { describe, expect, it } from 'vitest';
import { type SignedBy, signatureOf } from './mail-signature.js';

const UNSET = { agent: 'Maya Lind', account: 'Acme', mailbox: 'Support', agentSignature: '', mailboxSignature: '' };

describe('The signature below a reply', () => {
  it.each<[string, Partial<SignedBy>, string]>([
    ['says who writes for whom', {}, 'Maya Lind\nAcme'],
    ['says for whom if the writer has no name', { agent: '' }, 'Acme'],
    ['is what the agent has set', { agentSignature: 'Maya\nTelephone 1234' }, 'Maya\nTelephone 1234\nAcme'],
    ['is what the mailbox has set', { mailboxSignature: 'Open from 9 to 5' }, 'Maya Lind\nOpen from 9 to 5'],
    [
      'has the names of all three',
      { mailboxSignature: '{{agent}}, {{mailbox}} of {{account}}', agentSignature: '{{agent}}!' },
      'Maya Lind!\nMaya Lind, Support of Acme',
    ],
    [
      'leaves alone what it does not know',
      { mailboxSignature: '{{ticket}} {agent} $&' },
      'Maya Lind\n{{ticket}} {agent} $&',
    ],
    ['takes no name for a placeholder', { agent: '{{account}}' }, '{{account}}\nAcme'],
    ['is not empty where nothing but space is set', { mailboxSignature: ' \n ' }, 'Maya Lind\nAcme'],
  ])('%s', (_, set, expected) => {
    expect(signatureOf({ ...UNSET, ...set })).toBe(expected);
  });
});
