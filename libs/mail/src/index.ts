export * from './mail.js';
export { OperatorMailsService } from './operator-mails.service.js';
export * from './outgoing-mail.statements.js';
export { type SendOutcome } from './send-outcome.js';
export { SmtpSender } from './smtp-sender.js';
export { type MailParts, partsOfMail, textOfPart } from './mime/bodies.js';
export { decodeWords } from './mime/encoded-words.js';
export { Header, type HeaderField, addressesIn } from './mime/header.js';
export { type MimePart, charsetIn, readMime } from './mime/mime-part.js';
