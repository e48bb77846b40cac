import { InvalidField } from '#libs/entities';
import { describe, expect, it } from 'vitest';
import { type FilteredTicket, compileFilter, matchesTerms, termsOf } from './index.js';

const TICKET = {
  state: 'opened',
  priority: 'high',
  tags: ['VIP', 'red hot', 'عاجل', 'ガイド', 'Ärger', 'none', 'a:b'],
  mailbox: { id: '0199-AB', name: 'Billing & Co' },
  assignee: { email: 'maya@acme.example' },
  assignedGroup: { name: 'Second line' },
};
const BARE = {
  state: 'unread',
  priority: null,
  tags: [],
  mailbox: { id: '0199-ac', name: 'None' },
  assignee: null,
  assignedGroup: { name: null },
};

/** Tickets have more fields, which make no difference. */
const termsFor = (ticket: object) => termsOf(ticket as FilteredTicket);
const matches = (filter: string, ticket: object = TICKET): boolean =>
  matchesTerms(compileFilter(filter), termsFor(ticket));

const refusalOf = (filter: string) => {
  try {
    return compileFilter(filter);
  } catch (error) {
    return error instanceof InvalidField ? error.fieldErrors[0] : error;
  }
};

describe('a filter', () => {
  it.each([
    'tag:vip',
    'TAG:Vip',
    'tag:"red hot"',
    'tag:" Red   HOT "',
    'tag:عاجل',
    'tag:"عاجل"',
    'tag:ガイド',
    'tag:ガイド'.normalize('NFD'),
    'tag:ÄRGER'.normalize('NFD'),
    'tag:none',
    'tag:a:b',
    'mailbox:"billing & co"',
    'mailbox:0199-ab',
    'priority:high',
    'priority:HIGH',
    'assignee:maya@acme.example',
    'assignee:Maya@Acme.Example',
    'group:"second line"',
    'is:opened',
    'state:Opened',
    '-tag:spam',
    '-is:closed -state:spam',
    'tag:vip tag:"red hot"\n is:opened  -priority:none',
    '',
    ' ',
  ])('%j matches the ticket', (filter) => {
    expect(matches(filter)).toBe(true);
  });

  it.each([
    'tag:vi',
    'tag:vips',
    'tag:red',
    'tag:vip tag:spam',
    'tag:vip -is:opened',
    '-tag:VIP',
    'mailbox:billing',
    '-mailbox:0199-AB',
    'priority:low',
    'priority:none',
    'assignee:none',
    'assignee:ana@acme.example',
    'group:none',
    '-group:"SECOND line"',
    'is:closed',
    '-state:opened',
  ])('%j does not match the ticket', (filter) => {
    expect(matches(filter)).toBe(false);
  });

  it.each(['priority:none', 'assignee:NONE', 'group:none', 'mailbox:none', '-priority:low -group:x -tag:y'])(
    '%j matches a ticket without values',
    (filter) => {
      expect(matches(filter, BARE)).toBe(true);
    },
  );

  it.each(['-priority:none', '-assignee:none', '-group:none', 'tag:none'])(
    '%j does not match a ticket without values',
    (filter) => {
      expect(matches(filter, BARE)).toBe(false);
    },
  );

  it('matches no group of a ticket without one', () => {
    expect(matches('group:none', { ...BARE, assignedGroup: null })).toBe(true);
  });

  it('tells a group named “none” from no group', () => {
    expect(matches('group:none', { ...TICKET, assignedGroup: { name: 'None' } })).toBe(false);
  });

  it.each([
    ['refund', 'filter: refund has none of the operators tag, mailbox, priority, assignee, group, is, state'],
    ['tag:vip refund', 'filter: refund has'],
    ['"red hot"', '"red hot"'],
    ['-', 'filter: - has'],
    ['from:ana', 'from:ana'],
    ['has:attachment', 'has:attachment'],
    ['-unknown:x', '-unknown:x'],
    ['tag:', 'tag: needs a value'],
    ['-tag:""', '-tag:"" needs a value'],
    ['tag:"  "', 'needs a value'],
    ['tag: vip', 'tag: needs a value'],
    ['is:open', 'filter: is:open is none of unread, opened, pending, closed, spam'],
    ['state:snoozed', 'state:snoozed is none of unread'],
    ['is:none', 'is:none'],
    ['priority:highest', 'priority:highest is none of low, medium, high, urgent, none'],
    ['tag:"red hot', 'tag:"red hot needs a closing quotation mark'],
    ['tag:"', 'tag:" needs a closing quotation mark'],
    ['tag:"a"b', 'filter: b has'],
    ['tag:a or tag:b', 'filter: or has'],
    ['tag:a (tag:b)', 'filter: (tag:b) has'],
  ])('%j is refused and names the word', (filter, words) => {
    expect(refusalOf(filter)).toMatchObject({ field: 'filter', code: 'invalid_filter' });
    expect(refusalOf(filter)).toMatchObject({ message: expect.stringContaining(words) as string });
  });

  it('has at most 24 terms', () => {
    const terms = Array.from({ length: 24 }, (_, place) => `-tag:t${place}`).join(' ');

    expect(compileFilter(terms)).toHaveLength(24);
    expect(refusalOf(`${terms} tag:x`)).toMatchObject({ message: 'filter: at most 24 terms are allowed' });
  });
});

describe('the terms of a ticket', () => {
  it('are lines: an operator and a value', () => {
    expect(termsFor({ ...BARE, tags: ['two\nlines'] })).toEqual([
      'tag:two lines',
      'mailbox:none',
      'mailbox:0199-ac',
      'priority:',
      'assignee:',
      'group:',
      'is:unread',
    ]);
  });
});
