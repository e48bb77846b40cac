/**
 * Tickets of a shop for outdoor gear: mailbox and tags, the subject, the messages of the customer and an agent in turn,
 * and perhaps a note. `{order}` and `{thing}` are filled in for each ticket.
 */
export const TICKET_TEMPLATES = String.raw`
orders: delivery
Where is order {order}?
Hello,\n\nI ordered {thing} nine days ago (order {order}) and the tracking has said “handed to the carrier” since Monday. We leave for the mountains on Saturday. Will it make it?\n\nThank you
Hello,\n\nI have asked the carrier: the parcel was left out of a lorry in the depot and goes out tomorrow morning. You should have it on Thursday. I will keep an eye on it.
It came today, just in time. Thank you for chasing them!
note: Third parcel this week that got stuck in the northern depot. Telling logistics.

orders: returns, size
Return of {thing}
Hi,\n\nthe {thing} is a size too small after all. It has not been worn outside. How do I send it back, and can I have the next size instead?
Hi,\n\nof course. Your return label is attached to this message; put it over the old one. I have put the next size aside for you, and it leaves as soon as yours is scanned.
Perfect, the parcel is at the post office.
It was scanned this morning, and yours is on its way.

billing: invoice
Wrong address on invoice {order}
Dear team,\n\ninvoice {order} still carries our old address, and our accountant will not take it. Could you issue it again with the address in my profile?
Done: the corrected invoice replaces the old one under the same number. You find it in your account.

billing: payment, refund
Charged twice
I was charged twice for order {order}. The first payment said it had failed, so I paid again; now both are on my statement.
I am sorry about that. The first payment went through after its page had timed out. I have refunded it; depending on your bank it takes three to five days.
I can see the refund. Thanks for the quick help.
note: Payment provider confirms a delayed capture. Same as the incident of last month.

support: repair, warranty
Zip of the {thing} is broken
<p>Hello,</p><p>the main zip of my <b>{thing}</b> came off the track after four weeks. I did not force it. Is this something you <i>repair</i>?</p>
Hello,\n\nthat should not happen. We repair it at no cost: please send it to our workshop with the label I am sending. It usually takes a week.
Sent today. Could you let me know when it arrives?
It arrived, and the workshop has put in a stronger zip. It goes back to you tomorrow.
You are the best shop I know.

support: advice
How waterproof is it really?
I am thinking about the {thing}. The page says 10,000 mm. Is that enough for two weeks in Scotland in October?
Two weeks of Scottish October is what it was made for. Do wash it once before you go, though: the coating likes it.

orders: wholesale, vip
Group order for our club
Hello,\n\nour club needs 24 pairs of crampons and 12 ropes in April. Do you have a price for clubs, and can you deliver to the hut?
Hello,\n\nwe do. For that quantity I can take 15 % off, and we deliver to the valley station; the last part is yours, as always. Shall I write an offer?
Please do. To the address in my profile.
note: Wholesale should approve 15 %. Asking Maya.

support: account
Cannot sign in any more
Since this morning the shop says my email is not known. I have ordered from you for six years with this very address.
Your account had two spellings of the address; they are one again now. Please try once more, and tell me if it still refuses.
That did it.

support: privacy
Please delete my account
Please delete my account and everything you know about me, and confirm it in writing.
We have deleted your account and your order history, except for the invoices of the last ten years, which the law tells us to keep. This message is the confirmation.

billing: payment
Gift card {order} does not work
I was given a gift card with the number {order}. At the till it says “already used”, but I have never used it.
The number was mistyped when it was printed. Here is a new one by email; it is worth five more than the old one, for the trouble.
That is very kind. Thank you!

support: stock
Is the {thing} coming back?
The {thing} in green has been out of stock since summer. Will there be more, or should I stop hoping?
Do not stop: the factory sends 80 of them in three weeks. I have noted you, and will write when they are here.

orders: delivery, damage
Parcel arrived open
The parcel of order {order} was torn open at one side when it came. Two carabiners are missing; the rest is here. I have photographs.
Thank you for the photographs, they help. I have sent the two carabiners again by express, and the carrier will hear from us.
They are here. That went fast.
`
  .trim()
  .split('\n\n');

export function readTemplate(template: string) {
  const [place = '', title = '', ...lines] = template.split('\n').map((line) => line.replaceAll('\\n', '\n'));
  const [mailbox = '', tags = ''] = place.split(': ');
  const note = lines.find((line) => line.startsWith('note: '))?.slice('note: '.length);
  return { mailbox, tags: tags.split(', '), title, messages: lines.filter((line) => !line.startsWith('note: ')), note };
}

export const PRODUCT_NAMES = (
  'Ridgeline jacket,Tarn two-person tent,Cairn 45 l backpack,Moraine boots,Larch sleeping bag,Scree trousers,' +
  'Firn stove,Couloir ice axe'
).split(',');

export const SPAM_TEMPLATES: readonly (readonly [string, string])[] = [
  [
    'YOUR WEBSITE IS NOT ON PAGE ONE',
    'Dear sir or madam, we can bring your website to page one for a small monthly fee.',
  ],
  ['Urgent: parcel fee outstanding', 'Your parcel is waiting. Pay the fee of 1.99 within 24 hours.'],
  ['Partnership proposal', 'I hope this finds you well. We are a leading maker of plastic bags.'],
];

export const SAMPLE_FILES = [
  { name: 'order-confirmation.txt', contentType: 'text/plain', text: 'Thank you for your order.\n' },
  { name: 'serial-numbers.csv', contentType: 'text/csv', text: 'item,serial\ntent,TN-20410\npoles,PL-88213\n' },
  { name: 'Rückgabe und Garantie.txt', contentType: 'text/plain', text: 'Returned within 30 days, unused.\n' },
] as const;
