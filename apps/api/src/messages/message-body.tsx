import type { AttachedFile, Message } from '#libs/entities';
import { replyTextOf } from '#libs/payloads';
import { addressKey, withoutTag } from '#libs/mail';
import {
  MENTION,
  type ShownBody,
  hasRemotePictures,
  hiddenHost,
  isPictureIn,
  mentionsOneOf,
  withAttachedPictures,
  withRealHosts,
  withRemotePictures,
  withoutRemotePictures,
} from '#libs/tickets';
import { FoldedText, splitQuotation, withFoldedQuotation } from './quotation.js';

export const MAX_SHOWN_CHARACTERS = 6000;

interface MessageBodyProps {
  readonly message: Message;
  readonly shown: ShownBody;
  readonly images: boolean;
  readonly imagesHref: string;
}

export function MessageBody({ message, shown: { as, content, cut }, images, imagesHref }: MessageBodyProps) {
  return (
    <>
      {as === 'html' ? (
        <HtmlBody html={htmlOf(message, content)} images={images} />
      ) : (
        <TextBody text={content} reply={replyTextOf(message)} mentioned={message.mentioned} />
      )}
      {as === 'text_of_html' && (
        <p class="small">The formatting of this message cannot be displayed. Here is its text.</p>
      )}
      {cut && (
        <p class="small">
          <a href={`/messages/${message.id}`}>Show the whole message</a>
        </p>
      )}
      {as === 'html' && !images && hasRemotePictures(content) && (
        <p class="small">
          <a href={imagesHref}>Load remote images</a>
        </p>
      )}
    </>
  );
}

const htmlOf = ({ channel, mentioned }: Message, content: string): string =>
  channel === 'email' ? withFoldedQuotation(content) : withMentions(content, mentioned);

export const notShownIn = ({ as, content }: ShownBody, { attachments }: Message): readonly AttachedFile[] =>
  attachments.filter(({ id }) => as !== 'html' || !isPictureIn(content, id));

/** Shows the text that an agent is writing, which has no quotation and no remote images. */
export const WrittenText = ({ shown: { as, content } }: { readonly shown: ShownBody }) =>
  as === 'html' ? <HtmlBody html={content} images={false} /> : <TextBody text={content} reply={null} mentioned={[]} />;

/** `hx-ignore` keeps htmx from acting on attributes in the markup. */
function HtmlBody({ html, images }: { html: string; images: boolean }) {
  const shown = withAttachedPictures(
    images ? withRemotePictures(html) : withoutRemotePictures(html),
    (id) => `/attachments/${id}/image`,
  );
  return <div class="body" dir="auto" hx-ignore="" dangerouslySetInnerHTML={{ __html: withRealHosts(shown) }} />;
}

interface TextBodyProps extends Pick<Message, 'mentioned'> {
  readonly text: string;
  readonly reply: string | null;
}

function TextBody({ text, reply, mentioned }: TextBodyProps) {
  const { reply: shown, quoted } = splitQuotation(text, reply);
  return (
    <div class="body text" dir="auto">
      {linkify(shown, mentioned)}
      {quoted !== '' && <FoldedText text={quoted} />}
    </div>
  );
}

const URL_PATTERN = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/;

const MAX_LINKS = 300;

/** `split` returns the names as every second part. */
const markMentions = (text: string, mentioned: readonly string[]) =>
  text.split(MENTION).map((part, index) => {
    if (index % 2 === 0) return part;
    return mentionsOneOf(mentioned, part) ? <mark key={index}>@{part}</mark> : `@${part}`;
  });

/** In the text between the tags only, because an address can contain a name. `split` returns the tags as every second part. */
const withMentions = (html: string, mentioned: readonly string[]): string =>
  html
    .split(/(<[^<>]*>)/)
    .map((part, index) => (index % 2 === 0 ? markedIn(part, mentioned) : part))
    .join('');

const markedIn = (text: string, mentioned: readonly string[]): string =>
  text.replaceAll(MENTION, (whole, name: string) => (mentionsOneOf(mentioned, name) ? `<mark>${whole}</mark>` : whole));

/** `split` returns the URLs as every second part, because the pattern has a group. */
function linkify(text: string, mentioned: Message['mentioned']) {
  const parts = text.split(URL_PATTERN);
  const linked = parts.slice(0, MAX_LINKS * 2).map((part, index) =>
    index % 2 === 0 ? (
      markMentions(part, mentioned)
    ) : (
      <a href={part} target="_blank" rel="noopener noreferrer" key={index}>
        {hiddenHost(part, part) === null ? part : `${part} → ${hiddenHost(part, part)}`}
      </a>
    ),
  );
  return [...linked, parts.slice(MAX_LINKS * 2).join('')];
}

const MAX_SHOWN = 4;

/** `usual` are the customer and the mailbox. Nothing is shown without other recipients. */
export function RecipientsLine({ message, usual }: { message: Message; usual: readonly string[] }) {
  const { toAddresses: to, ccAddresses: cc } = message;
  const known = new Set(usual.map(addressKey));
  const isUsual = (address: string): boolean =>
    known.has(addressKey(address)) || known.has(addressKey(withoutTag(address)));
  if (cc.length === 0 && to.every(isUsual)) return null;
  if (to.length + cc.length <= MAX_SHOWN)
    return (
      <p class="recipients-line">
        <Lists to={to} cc={cc} />
      </p>
    );
  return (
    <details class="recipients-line">
      <summary>{`To ${shortened(to)}${cc.length > 0 ? ` · Cc ${shortened(cc)}` : ''}`}</summary>
      <Lists to={to} cc={cc} />
    </details>
  );
}

function Lists({ to, cc }: { readonly to: readonly string[]; readonly cc: readonly string[] }) {
  return (
    <>
      {to.length > 0 && <span>{`To: ${to.join(', ')}`}</span>}
      {cc.length > 0 && <span>{`Cc: ${cc.join(', ')}`}</span>}
    </>
  );
}

const shortened = ([first = 'nobody', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
