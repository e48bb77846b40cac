export {
  type Mail,
  type MailAddress,
  type MailFile,
  type MailRoute,
  type MailServer,
  type NothingToSend,
  mailRoute,
} from './mail.js';
export { rawMail } from './mail-content.js';
export {
  CATCH_MAIL,
  CLAIM_MAILS,
  type ClaimedMail,
  END_MAIL,
  HAND_OVER_MAIL,
  KEEP_MAILS,
  MAILS_CHANNEL,
  POSTPONE_MAIL,
  bounceMail,
  queueMail,
  requeueMails,
  queueMailsSql,
} from './outgoing-mail.statements.js';
export { OperatorMailsService } from './operator-mails.service.js';
export { type SendOutcome } from './send-outcome.js';
export { SmtpSender } from './smtp-sender.js';
export { addressesIn } from './mime/addresses.js';
export { type MailParts, partsOfMail } from './mime/bodies.js';
export { decodeWords } from './mime/encoded-words.js';
export { Header } from './mime/header.js';
export { type MimePart, charsetIn, readMime } from './mime/mime-part.js';
export { textOfPart } from './mime/text-of-part.js';
