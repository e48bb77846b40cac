import { AttachmentsService } from '#libs/desk';
import { Links } from '#libs/payloads';
import { Controller, Get, Param } from '@nestjs/common';
import { NamePipe } from '../../http/name.pipe.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import { actingOf } from '../forms.js';
import type { PageAnswer } from '../../pages/page.js';

/** Signed addresses end soon, and a page may be open for long: one is made for whoever asks, when they ask. */
@Controller('attachments/:id')
@DeskPages()
export class AttachmentPages {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly links: Links,
  ) {}

  @Get()
  async download(@Me() me: Me, @Param('id', new NamePipe('attachment')) id: string): Promise<PageAnswer> {
    const attachment = await this.attachments.read(actingOf(me), id);
    const { pathname, search } = new URL(this.links.download(attachment));
    return { redirect: `${pathname}${search}` };
  }
}
