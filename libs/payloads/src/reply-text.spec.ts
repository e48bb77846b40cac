import { describe, expect, it } from 'vitest';
import { replyText } from './reply-text.js';

const QUOTED = '> Turn it off\n> and on.\n';
const BLOCK = (labels: string): string =>
  labels
    .split(' ')
    .map((label) => `${label}: something`)
    .join('\n');

describe('replyText', () => {
  it.each([
    'On Mon, 3 Mar 2025 at 10:11, Maya Lind <support@desk.test> wrote:',
    'On Mon, Mar 3, 2025 at 10:11 AM Maya Lind\n<support@desk.test> wrote:',
    'On 03/03/2025 10:11, Maya Lind wrote:',
    'Am 03.03.25 um 10:11 schrieb Maya Lind:',
    'Le lun. 3 mars 2025 à 10:11, Maya Lind <support@desk.test> a écrit :',
    'El lun, 3 mar 2025 a las 10:11, Maya Lind (<support@desk.test>) escribió:',
    'Em seg., 3 de mar. de 2025 às 10:11, Maya Lind <support@desk.test> escreveu:',
    'Il giorno lun 3 mar 2025 alle ore 10:11 Maya Lind <support@desk.test> ha scritto:',
    'Op ma 3 mrt 2025 om 10:11 schreef Maya Lind <support@desk.test>:',
    'Den mån 3 mars 2025 kl 10:11 skrev Maya Lind <support@desk.test>:',
    'pon., 3 mar 2025 o 10:11 Maya Lind <support@desk.test> napisał(a):',
    'пн, 3 мар. 2025 г. в 10:11, Maya Lind <support@desk.test>:',
    '2025年3月3日(月) 10:11 Maya Lind <support@desk.test>:',
    'Maya Lind <support@desk.test> 于2025年3月3日周一 10:11写道：',
  ])('cuts at the header %j', (header) => {
    for (const quotation of [QUOTED, 'Turn it off\nand on.\n'])
      expect(replyText(`It works!\n\n${header}\n${quotation}`)).toBe('It works!');
  });

  it.each([
    '-----Original Message-----\nFrom: support@desk.test\n',
    '-----Ursprüngliche Nachricht-----\nVon: support@desk.test\n',
    '________________________________\nFrom: Maya Lind <support@desk.test>\nSent: Monday\nTo: Ana\nSubject: Re\n',
    '*From:* Maya Lind\n*Date:* Monday\n*To:* Ana\n',
    `${BLOCK('Von Gesendet An Betreff')}\n`,
    `${BLOCK('De Envoyé À Objet')}\n`,
    `${BLOCK('发件人 发送时间 收件人 主题')}\n`,
    '---- On Mon, 03 Mar 2025 10:11:12 +0100 support@desk.test wrote ----\n',
  ])('cuts at the block %j', (block) => {
    expect(replyText(`It works!\n\n${block}\nTurn it off\nand on.`)).toBe('It works!');
  });

  it('removes the signature', () => {
    expect(replyText('It works!\n\n-- \nAna Lima\n-- \nClient')).toBe('It works!');
    expect(replyText('-- \nAna')).toBe('-- \nAna');
  });

  it('keeps an answer below the quotation', () => {
    expect(replyText(`On 3 March, Maya Lind wrote:\n${QUOTED}\nIt works!\n-- \nAna`)).toBe('It works!');
  });

  it('removes quoted lines that a program has wrapped', () => {
    const long = `> ${'word '.repeat(14)}`;

    expect(replyText(`Yes.\n\nOn 3 March, Maya Lind wrote:\n${long}\ncut\n${QUOTED}`)).toBe('Yes.');
  });

  it.each([
    ['answers between the lines', `Hello,\nOn 3 March, Maya Lind wrote:\n> One?\nYes.\n> Two?\nNo.`],
    [
      'is forwarded',
      `See below.\n\n---------- Forwarded message ---------\nFrom: a\nDate: b\nSubject: c\nTo: d\n\nText`,
    ],
    ['reports what a person wrote', 'On Monday at 10:11 she wrote:\nTurn it off.'],
    ['contains a list', 'I have two questions:\n1. Why?\n2. When, on 3.3.2025 at 10:11?'],
    ['contains lines that look like labels', 'From: our database\nit comes, and not\nTo: the printer.'],
    ['quotes without a header', 'As you say:\n> Turn it off.\nI did.'],
    ['is nothing but a quotation', `On 3 March, Maya Lind wrote:\n${QUOTED}`],
    ['is empty', ''],
  ])('keeps a whole message that %s', (_case, text) => {
    expect(replyText(text).trim()).toBe(text.trim());
  });

  it.each([
    ['a signature in the middle of it', `Hello\n-- \nAna\n${'word '.repeat(20_000)}the end`],
    [
      'an answer below a long quotation',
      `On 3 March, Maya Lind wrote:\n${'> a\n'.repeat(9_990)}My answer\n${'word '.repeat(9_000)}the end`,
    ],
    ['a space at the parse limit', `${'x'.repeat(49_999)} ${'word '.repeat(1000)}the end`],
  ])('keeps all of a very long text with %s', (_case, text) => {
    expect(replyText(text)).toBe(text);
  });

  it.each(['a:\n', '>\n', 'On 1\n', 'From:\n', '-- \n', '\n', '-'])(
    'handles %j repeated 300,000 times quickly',
    (unit) => {
      expect(replyText(unit.repeat(300_000))).toBeTypeOf('string');
    },
  );
});
