import { Readable } from 'node:stream';
import type { AccountTx } from '#libs/database';
import { Attachment, type Ticket } from '#libs/entities';
import { type Actor, EventsService, describeTicketActivity } from '#libs/events';
import { beginningOf } from '#libs/mail';
import { SizeLimitedContent } from '#libs/storage';
import {
  BodyRenderer,
  FilesService,
  type RenderedBody,
  addAttachments,
  isShownImage,
  mendAttachmentName,
  mendAttachmentType,
  withAttachments,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { InboundMail } from './arrival.statements.js';
import type { MailFile } from './mail-parts.js';
import type { IdentifiedMail, ParsedMail } from './parse-mail.js';

const MAX_PREVIEW_CHARACTERS = 5000;

@Injectable()
export class MailContentsService {
  constructor(private readonly bodies: BodyRenderer) {}

  async render({ accountId }: InboundMail, mail: IdentifiedMail) {
    const { body, isText, text, files } = bodyOf(mail);
    const rendered = isText ? renderedText(body) : withTextOf(await this.bodies.render(accountId, body), text);
    return { body, files, rendered };
  }

  async preview(inbound: InboundMail, mail: IdentifiedMail) {
    const text = await this.textOf(inbound, mail);
    return { subject: titleOf(mail.subject) ?? '', preview: beginningOf(text, MAX_PREVIEW_CHARACTERS) };
  }

  async textOf(inbound: InboundMail, mail: IdentifiedMail): Promise<string> {
    return mail.text.trim() || (await this.render(inbound, mail)).rendered.plainTextBody;
  }
}

/** The whole of a longer text is attached. */
const MAX_CHARACTERS = 500_000;
const MAX_TITLE_CHARACTERS = 500;

type BodyParts = Pick<ParsedMail, 'html' | 'text' | 'files'> & Partial<Pick<ParsedMail, 'longTexts'>>;

/** Text that is too long for a message becomes a file. */
export function bodyOf({ html, text, files, longTexts }: BodyParts) {
  const whole = html.trim() === '' ? text : html;
  const plain = text.trim() === '' || whole === text ? null : text;
  const isLong = longTexts !== undefined && longTexts.length > 0;
  if (!isLong && whole.length <= MAX_CHARACTERS && (plain ?? '').length <= MAX_CHARACTERS)
    return { body: whole, isText: whole !== html, text: plain, files };
  const file =
    whole === html ? { name: 'message.html', type: 'text/html' } : { name: 'message.txt', type: 'text/plain' };
  // Markup cannot be truncated.
  const isText = text.trim() !== '';
  const shown = beginningOf(isText ? text : html, MAX_CHARACTERS);
  const texts = isLong ? longTexts : [{ ...file, content: Buffer.from(whole) }];
  return { body: shown, isText, text: null, files: [...texts, ...files] };
}

/** Never parsed as markup: `<ana@client.example>` is not a tag. */
export const renderedText = (text: string): RenderedBody => ({ plainTextBody: text, shownAs: 'text', safeHtml: null });

const withTextOf = (rendered: RenderedBody, text: string | null): RenderedBody =>
  text === null ? rendered : { ...rendered, plainTextBody: text.trim() };

export function titleOf(subject: string): string | null {
  const line = subject.replaceAll(/\s+/g, ' ').trim();
  return beginningOf(line, MAX_TITLE_CHARACTERS) || null;
}

@Injectable()
export class MailAttachmentsService {
  constructor(
    private readonly files: FilesService,
    private readonly events: EventsService,
  ) {}

  /** Removes the files if `work` fails. They replace the raw mail. */
  async withStored(
    inbound: InboundMail,
    files: readonly MailFile[],
    work: (stored: readonly Attachment[]) => Promise<void>,
  ): Promise<void> {
    const { accountId } = inbound;
    const stored: Attachment[] = [];
    try {
      for (const file of files) stored.push(await this.store(accountId, file, stored.length + 1));
      await work(stored);
    } catch (error) {
      const ids = stored.map(({ id }) => id);
      await this.files.discard(accountId, ids).catch(() => undefined);
      throw error;
    }
    if (stored.length > 0) await this.discardRaw(inbound);
  }

  /** Upkeep removes the bytes if this fails. */
  async discardRaw({ accountId, id }: InboundMail): Promise<void> {
    await this.files.discard(accountId, [id]).catch(() => undefined);
  }

  async add(
    tx: AccountTx,
    actor: Actor,
    { id, ticket, files }: { readonly id: string; readonly ticket: Ticket; readonly files: readonly Attachment[] },
    now: Date,
  ): Promise<readonly Attachment[]> {
    if (files.length === 0) return files;
    for (const file of files) Object.assign(file, { messageId: id, createdAt: now });
    await addAttachments(tx, { id }, files, now, 'any number');
    await this.events.recordActivity(tx, actor, 'files_attached', describeTicketActivity(ticket, { message: id }));
    return files;
  }

  private async store(accountId: string, { name, type, content }: MailFile, index: number): Promise<Attachment> {
    const bytes = new SizeLimitedContent(Readable.from([content]), () => undefined);
    const id = await this.files.save(accountId, bytes, { mayUseReserve: true });
    const contentType = mendAttachmentType(type);
    const named = mendAttachmentName(name, defaultName(contentType, index));
    return Object.assign(new Attachment(), { id, accountId, name: named, contentType, size: bytes.size });
  }
}

function defaultName(type: string, index: number): string {
  const endings: Readonly<Record<string, string>> = {
    'message/rfc822': 'eml',
    'text/calendar': 'ics',
    'text/plain': 'txt',
  };
  const ending = endings[type] ?? /^(?:image|audio|video|text)\/([a-z0-9]{1,8})$/.exec(type)?.[1];
  return `attachment-${index}${ending === undefined ? '' : `.${ending}`}`;
}

/** `stored` has the files in the same order. */
export function withPictures(
  rendered: RenderedBody,
  files: readonly MailFile[],
  stored: readonly Attachment[],
): RenderedBody {
  if (rendered.safeHtml === null) return rendered;
  const images = stored.map(
    (file, at) => [files[at]!.contentId ?? '', isShownImage(file) ? file.id : undefined] as const,
  );
  const ids = new Map(images);
  return { ...rendered, safeHtml: withAttachments(rendered.safeHtml, (contentId) => ids.get(contentId)) };
}
