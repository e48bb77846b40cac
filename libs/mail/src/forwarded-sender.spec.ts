import { describe, expect, it } from 'vitest';
import { forwardedSender } from './forwarded-sender.js';

const GMAIL = `See below.

---------- Forwarded message ---------
From: Maya Lind <Maya@client.example>
Date: Mon, 23 Nov 2026 at 09:12
Subject: My order
To: Noah <noah@acme.test>

Where is it?`;

const GMAIL_IN_MARKDOWN = `---------- Forwarded message ---------
From: *Maya Lind* <maya@client.example>
Date: Mon, 23 Nov 2026 at 09:12
Subject: My order`;

const OUTLOOK = `Please answer.

________________________________
From: Maya Lind <maya@client.example>
Sent: Monday, November 23, 2026 9:12 AM
To: Noah Berg <noah@acme.test>
Subject: My order`;

const OLD_OUTLOOK = `-----Original Message-----
From: Maya Lind [mailto:maya@client.example]
Sent: Monday, November 23, 2026 9:12 AM
To: Noah`;

const GERMAN_OUTLOOK = `-----Ursprüngliche Nachricht-----
Von: Maya Lind <maya@client.example>
Gesendet: Montag, 23. November 2026 09:12
An: Noah
Betreff: Meine Bestellung`;

const FRENCH_OUTLOOK = `De : Maya Lind <maya@client.example>
Envoyé : lundi 23 novembre 2026 09:12
À : Noah
Objet : Ma commande`;

const APPLE = `Begin forwarded message:

> From: Maya Lind <maya@client.example>
> Subject: My order
> Date: 23 November 2026 at 09:12:00 CET
> To: Noah <noah@acme.test>
>
> Where is it?`;

const MAYA = { address: 'maya@client.example', name: 'Maya Lind' };

describe('the sender of a forwarded email', () => {
  it.each([
    ['Gmail', 'Fwd: My order', GMAIL],
    ['Gmail, with a subject of the agent', 'Order of Maya', GMAIL],
    ['Gmail, in Markdown', 'Fwd: My order', GMAIL_IN_MARKDOWN],
    ['Gmail, with Windows line ends', 'Fwd: My order', GMAIL.replaceAll('\n', '\r\n')],
    ['Outlook', 'FW: My order', OUTLOOK],
    ['old Outlook', 'FW: My order', OLD_OUTLOOK],
    ['German Outlook', 'WG: Meine Bestellung', GERMAN_OUTLOOK],
    ['French Outlook', 'TR : Ma commande', FRENCH_OUTLOOK],
    ['Apple Mail', 'Fwd: My order', APPLE],
    ['German Apple Mail', 'Bestellung', APPLE.replace('Begin forwarded', 'Anfang der weitergeleiteten')],
  ])('is found in a forward by %s', (_, subject, text) => {
    expect(forwardedSender({ subject, text })).toEqual(MAYA);
  });

  it.each([
    ['a bare address', 'From: maya@client.example', { address: 'maya@client.example', name: '' }],
    [
      'a link beside the address',
      'From: Maya Lind maya@client.example<mailto:maya@client.example>',
      { address: MAYA.address },
    ],
    ['an address on the next line', 'From: Maya Lind\n <maya@client.example>', MAYA],
    ['a quoted name', 'From: "Lind, Maya" <maya@client.example>', { address: MAYA.address, name: 'Lind, Maya' }],
  ])('is read from %s', (_, from, expected) => {
    const sender = forwardedSender({ subject: 'Fwd: x', text: `${from}\nDate: today\nSubject: x` });
    expect(sender).toMatchObject(expected);
  });

  it.each([
    ['a reply that quotes an email', 'Re: My order', OUTLOOK],
    ['a message without a header', 'Fwd: My order', 'From: here on, it works.'],
    ['a header without an address', 'Fwd: My order', 'From: Maya\nSent: today\nTo: Noah'],
    ['an unusable address', 'Fwd: My order', 'From: <a b@c@d>\nSent: today'],
    ['an empty text', 'Fwd:', ''],
  ])('is null for %s', (_, subject, text) => {
    expect(forwardedSender({ subject, text })).toBeNull();
  });

  it('takes linear time on hostile text', () => {
    const started = performance.now();
    for (const part of ['From: ', '>', 'From:\n', 'From: <<a@', '> * ', 'Date:\nFrom: (('])
      forwardedSender({ subject: 'Fwd: x', text: part.repeat(500_000) });
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
