import { Readable } from 'node:stream';
import { Attachment } from '#libs/entities';
import { SizeLimitedContent } from '#libs/storage';
import { Injectable } from '@nestjs/common';
import { mendAttachmentName, mendAttachmentType } from '../attachments/attachment-names.js';
import { isShownImage } from '../attachments/attachments.service.js';
import { FilesService } from '../attachments/files.service.js';
import { BodyRenderer } from '../bodies/body-renderer.js';
import type { RenderedBody } from '../bodies/render-body.js';
import { withAttachments } from '../bodies/safe-html.js';

interface MailFile {
  readonly name: string | null;
  readonly type: string;
  readonly content: Uint8Array;
  /** The markup names it by this id. */
  readonly contentId?: string | null;
}

/** The parts of an email that become a message. */
interface MailContent {
  readonly body: string;
  /** Never parsed as markup: `<ana@client.example>` is not a tag. */
  readonly isText: boolean;
  /** The text that the sender wrote beside a body in HTML. */
  readonly text: string | null;
  readonly files: readonly MailFile[];
}

export interface StoredContent {
  readonly body: string;
  readonly rendered: RenderedBody;
  /** Stray until a message has them. */
  readonly files: readonly Attachment[];
}

/** Renders bodies and stores files of emails, before the transaction that writes the message. */
@Injectable()
export class MailContentsService {
  constructor(
    private readonly bodies: BodyRenderer,
    private readonly files: FilesService,
  ) {}

  async textOf(accountId: string, content: Omit<MailContent, 'files'>): Promise<string> {
    return (await this.render(accountId, content)).plainTextBody;
  }

  /** Removes the files if `work` fails. */
  async withStored(
    accountId: string,
    content: MailContent,
    work: (stored: StoredContent) => Promise<void>,
  ): Promise<void> {
    const { body, files } = content;
    const rendered = await this.render(accountId, content);
    const stored: Attachment[] = [];
    try {
      for (const file of files) stored.push(await this.store(accountId, file, stored.length + 1));
      await work({ body, rendered: withPictures(rendered, files, stored), files: stored });
    } catch (error) {
      const ids = stored.map(({ id }) => id);
      await this.files.discard(accountId, ids).catch(() => undefined);
      throw error;
    }
  }

  private async render(accountId: string, { body, isText, text }: Omit<MailContent, 'files'>): Promise<RenderedBody> {
    if (isText) return { plainTextBody: body, shownAs: 'text', safeHtml: null };
    const rendered = await this.bodies.render(accountId, { body });
    return text === null ? rendered : { ...rendered, plainTextBody: text.trim() };
  }

  /** The file replaces the raw mail, which is removed right after. */
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
function withPictures(rendered: RenderedBody, files: readonly MailFile[], stored: readonly Attachment[]): RenderedBody {
  if (rendered.safeHtml === null) return rendered;
  const images = stored.map(
    (file, at) => [files[at]!.contentId ?? '', isShownImage(file) ? file.id : undefined] as const,
  );
  const ids = new Map(images);
  return { ...rendered, safeHtml: withAttachments(rendered.safeHtml, (contentId) => ids.get(contentId)) };
}
