import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, addMailbox, inviteAgent, startTicket } from '#test/support/desk-records.js';
import { seedAccount } from '#test/support/seed.js';
import { formOf, postFiles } from '#test/support/upload.js';

const desk = deskForFile();

const search = (q: string, rest = '') => desk.client().get(`/v1/tickets?per_page=50&q=${encodeURIComponent(q)}${rest}`);

const found = async (q: string, rest = ''): Promise<number[]> => {
  const { status, body, text } = await search(q, rest);
  if (status !== 200) throw new Error(text);
  return body.tickets.map((ticket: { number: number }) => ticket.number);
};

const write = async (number: number, body: string, fields: object = {}) =>
  (await desk.client().post(`/v1/tickets/${number}/messages`, { body, ...fields })).body.message;

describe('a search', () => {
  it('finds a ticket by any part of its customer’s name, email and company', async () => {
    const from = 'renata.kowalczyk@fjord-optics.example';
    const { number } = await startTicket(desk, { from });
    await desk.client().patch(`/v1/customers/${encodeURIComponent(from)}`, {
      first_name: 'Renáta',
      last_name: 'Kowalczyková',
      company_name: 'Søndergaard Lenses',
    });

    for (const q of [
      from,
      'renata',
      'kowalczyk',
      'fjord-optics',
      'optics',
      'Renata Kowal',
      'SONDERGAARD',
      'from:lenses',
      'from:renata sign in',
    ])
      expect({ q, found: await found(q) }).toEqual({ q, found: [number] });
    for (const q of ['from:nobody', 'renata -sondergaard', 'from:"ren"'])
      expect({ q, found: await found(q) }).toEqual({ q, found: [] });
  });

  it('finds a ticket by its number, with and without #', async () => {
    const { number } = await startTicket(desk);
    const other = await startTicket(desk, { body: `As in our order ${number}` });

    expect(await found(`#${number}`)).toEqual([number]);
    expect(await found(`${number}`)).toEqual([other.number, number]);
    expect(await found('#2147483648')).toEqual([]);
  });

  it('finds a ticket by words of its subject, messages, notes, tags and file names, in combination', async () => {
    const { number } = await startTicket(desk, { subject: 'Périscope', body: 'It leaks', tags: ['Warranty Case'] });
    await write(number, '<p>Ask the <b>shipyard</b></p>', { note: true });
    const { id } = await write(number, 'See the drawing');
    await postFiles(desk, id, formOf([{ name: 'hull-section_7.pdf', bytes: 'x' }]));

    for (const q of [
      'periscope',
      'périsc',
      'leaks shipyard',
      'warranty',
      'hull section',
      'section_7.pdf',
      'periscope shipyard hull leaks case',
      'tag:"warranty case"',
      'periscope has:attachment',
    ])
      expect({ q, found: await found(q) }).toEqual({ q, found: [number] });
    expect(await found('periscope nowhere')).toEqual([]);
  });

  it('finds words in any script, including sentences without spaces', async () => {
    const texts = {
      japanese: '先週注文した赤い靴がまだ届いていません。',
      chinese: '我想退货并申请全额退款。',
      thai: 'ฉันต้องการเปลี่ยนที่อยู่จัดส่ง',
      korean: '비밀번호를 재설정하고 싶습니다',
      arabic: 'لم تصل الشُّحنة إلى القاهرة بعد',
      greek: 'Πότε θα φτάσει το ΔΈΜΑ;',
    };
    const numbers: Record<string, number> = {};
    for (const [script, body] of Object.entries(texts)) numbers[script] = (await startTicket(desk, { body })).number;

    for (const [script, q] of [
      ['japanese', '赤い靴'],
      ['japanese', '届いていません'],
      ['japanese', '靴'],
      ['chinese', '退款'],
      ['chinese', '全额退款'],
      ['thai', 'ที่อยู่'],
      ['korean', '재설정'],
      ['arabic', 'الشحنة'],
      ['arabic', 'القاهره'],
      ['greek', 'δεμα'],
    ] as const)
      expect({ q, found: await found(q) }).toEqual({ q, found: [numbers[script]] });
    expect(await found('靴赤')).toEqual([]);
  });

  it('finds a change at once, and no longer the previous text', async () => {
    const { number } = await startTicket(desk, { subject: 'Gramophone', tags: ['brass'] });
    await desk.client().patch(`/v1/tickets/${number}`, { title: 'Phonograph', tags: ['copper'] });

    expect([await found('phonograph copper'), await found('gramophone'), await found('brass')]).toEqual([
      [number],
      [],
      [],
    ]);
  });
});

describe('the operators of a search', () => {
  it('narrow it, alone, combined and negated', async () => {
    const agent = await inviteAgent(desk, { first_name: 'Ottoline', last_name: 'Quist' });
    const mine = await startTicket(desk, {
      body: 'kaleidoscope red shoes',
      assignee: desk.account.owner.email,
      tags: ['toy'],
      priority: 'high',
      assigned_group: (await addGroup(desk, { name: 'Optics' })).name,
      mailbox: (await addMailbox(desk, { name: 'Second desk', email: 'second@acme.test' })).name,
    });
    const hers = await startTicket(desk, { body: 'kaleidoscope shoes red', assignee: agent.email, state: 'pending' });
    const answered = await startTicket(desk, { body: 'kaleidoscope' });
    await write(answered.number, 'Here it is');
    await desk.client().put(`/v1/tickets/${answered.number}/state`, { state: 'closed' });
    const all = [answered.number, hers.number, mine.number];
    const day = new Date(desk.clock.now()).toISOString().slice(0, 10);

    const cases: [string, number[]][] = [
      ['', all],
      ['assignee:me', [mine.number]],
      [`assignee:${agent.email}`, [hers.number]],
      ['assignee:ottoline', [hers.number]],
      ['assignee:"Ottoline Q"', [hers.number]],
      ['assignee:quist', [hers.number]],
      ['assignee:nobody', [answered.number]],
      ['-assignee:me', [answered.number, hers.number]],
      ['group:OPTICS', [mine.number]],
      ['group:none', [answered.number, hers.number]],
      ['-group:optics', [answered.number, hers.number]],
      ['group:nothing', []],
      ['mailbox:"second desk"', [mine.number]],
      ['mailbox:Second@acme.test', [mine.number]],
      ['-mailbox:"Second Desk"', [answered.number, hers.number]],
      [`mailbox:${mine.mailbox_id}`, [mine.number]],
      ['priority:High', [mine.number]],
      ['priority:none -is:closed', [hers.number]],
      ['-priority:high', [answered.number, hers.number]],
      ['tag:TOY', [mine.number]],
      ['-tag:toy', [answered.number, hers.number]],
      ['state:closed', [answered.number]],
      ['state:open', [hers.number, mine.number]],
      ['-is:closed', [hers.number, mine.number]],
      ['is:waiting', [mine.number]],
      ['is:unanswered', [mine.number]],
      ['-is:waiting', [answered.number, hers.number]],
      ['"red shoes"', [mine.number]],
      ['-"red shoes"', [answered.number, hers.number]],
      ['-shoes', [answered.number]],
      ['-has:attachment', all],
      ['has:attachment', []],
      [`before:${day}`, []],
      [`after:${day}`, all],
      [`after:${day.slice(0, 4)} -from:nobody`, all],
    ];
    for (const [rest, numbers] of cases) {
      const q = `kaleidoscope ${rest}`;
      expect({ q, found: await found(q) }).toEqual({ q, found: numbers });
    }
    expect(await found('is:waiting tag:toy')).toEqual([mine.number]);
    expect(await found('kaleidoscope', '&state=pending')).toEqual([hers.number]);
  });

  it('return 422 with a helpful message for an invalid value', async () => {
    for (const q of [
      'before:yesterday',
      'priority:highest',
      'state:exploded',
      'from:""',
      'has:luck',
      'w '.repeat(30),
    ]) {
      const { status, body } = await search(q);
      expect([status, body.errors[0].field, body.errors[0].message]).toEqual([
        422,
        'q',
        expect.stringMatching(/knows|needs|at most/),
      ]);
    }
  });
});

describe('a search in another account', () => {
  it('finds no ticket of the first account', async () => {
    await startTicket(desk, { from: 'secretive@hidden.example', body: 'sarsaparilla', tags: ['sarsaparilla'] });
    const stranger = desk.client((await seedAccount(desk.sql)).owner.token);

    for (const q of ['sarsaparilla', 'secretive', 'from:hidden', 'tag:sarsaparilla', '-nothing', 'is:unanswered', '1'])
      expect((await stranger.get(`/v1/tickets?q=${encodeURIComponent(q)}`)).body.tickets).toEqual([]);
  });
});

describe('a hostile search', () => {
  it.each([
    ['only operators', 'from:a -from:b tag:c has:file is:unanswered before:2020 -state:open'],
    ['quotes that do not close', '"""" "a "b" from:"c'],
    ['signs of regular expressions', '(a+)+$ [^ .* \\d{1,9999} | ?? ^'],
    ['signs of tsquery', "a & b | !c <-> 'd' :* \\ '':*A"],
    ['a NUL', 'a\0b \0'],
    ['single letters', 'a b c d e f g h i j k l m n o p q r s t u v w x'],
    ['500 characters', '東京'.repeat(250)],
  ])('answers quickly: %s', async (_what, q) => {
    const start = performance.now();
    const { status } = await search(q);

    expect(status).toBeLessThan(500);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('finds a ticket with unusual text', async () => {
    const body = `${'漢字'.repeat(5_000)} ${Array.from({ length: 4_000 }, (_, place) => `w${place}`).join(' ')}  '\\:* ${'ﷺ'.repeat(500)} tail`;
    const { number } = await startTicket(desk, { body: `quillwort ${body}`, subject: "'\\:*&" });

    expect(await found('quillwort 字漢 w3999 tail')).toEqual([number]);
  });
});
