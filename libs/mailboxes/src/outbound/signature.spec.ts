import { describe, expect, it } from 'vitest';
import { type SignedBy, signatureOf } from './signature.js';

const UNSET = { agent: 'Maya Lind', account: 'Acme', mailbox: 'Support', agentSignature: '', mailboxSignature: '' };

describe('the signature below a reply', () => {
  it.each<[string, Partial<SignedBy>, string]>([
    ['names the agent and the account', {}, 'Maya Lind\nAcme'],
    ['names the account if the agent has no name', { agent: '' }, 'Acme'],
    ['uses the signature of the agent', { agentSignature: 'Maya\nTelephone 1234' }, 'Maya\nTelephone 1234\nAcme'],
    ['uses the signature of the mailbox', { mailboxSignature: 'Open from 9 to 5' }, 'Maya Lind\nOpen from 9 to 5'],
    [
      'fills in all three names',
      { mailboxSignature: '{{agent}}, {{mailbox}} of {{account}}', agentSignature: '{{agent}}!' },
      'Maya Lind!\nMaya Lind, Support of Acme',
    ],
    [
      'leaves unknown placeholders unchanged',
      { mailboxSignature: '{{ticket}} {agent} $&' },
      'Maya Lind\n{{ticket}} {agent} $&',
    ],
    ['does not fill in placeholders within a name', { agent: '{{account}}' }, '{{account}}\nAcme'],
    ['treats a blank signature as unset', { mailboxSignature: ' \n ' }, 'Maya Lind\nAcme'],
  ])('%s', (_, set, expected) => {
    expect(signatureOf({ ...UNSET, ...set })).toBe(expected);
  });
});
