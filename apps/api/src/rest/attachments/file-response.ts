import type { Download } from '#libs/desk';
import { StreamableFile } from '@nestjs/common';
import { encodeExtended } from 'content-disposition';
import type { FastifyReply } from 'fastify';

/** Always as a download: a file must never run as a page of this origin. */
export function fileResponse(reply: FastifyReply, { attachment, content, secondsLeft }: Download): StreamableFile {
  void reply.header('cache-control', `private, max-age=${secondsLeft}`);
  return new StreamableFile(content, {
    type: attachment.servedType(),
    disposition: contentDisposition(attachment.name),
    length: attachment.size,
  });
}

/** RFC 6266: the whole name for whoever reads `filename*`, and for the rest what of it stands in a quoted string. */
function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^ !#$&'()+,\-.0-9;=@A-Z[\]^_`a-z{}~]/g, '_').replace(/^\.+/, '_');
  return `attachment; filename="${plain}"; filename*=${encodeExtended(name)}`;
}
