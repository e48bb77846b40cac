export { type Mail, type MailAddress, type MailFile, type NothingToSend } from './mail.js';
export type { MailServer } from './mail-server.js';
export { rawMail } from './mail-content.js';
export { type MailRoute, mailRoute } from './mail-route.js';
export {
  CATCH_MAIL,
  CLAIM_MAILS,
  type ClaimedMail,
  END_MAIL,
  type EndedState,
  HAND_OVER_MAIL,
  KEEP_MAILS,
  MAILS_CHANNEL,
  type OwedMail,
  POSTPONE_MAIL,
  bounceMail,
  oweMail,
  oweMailAgain,
  oweMails,
} from './outgoing-mail.statements.js';
export { OperatorMailsService } from './operator-mails.service.js';
export { type SendOutcome } from './send-outcome.js';
export { SmtpSender } from './smtp-sender.js';
export { type MailAddress as ParsedAddress, addressesIn } from './mime/addresses.js';
export { type MailParts, partsOfMail } from './mime/bodies.js';
export { decodeWords } from './mime/encoded-words.js';
export { Header } from './mime/header.js';
export { MimeLimitExceeded, type MimeLimits, type MimePart, charsetIn, readMime } from './mime/mime-part.js';
export { textOfPart } from './mime/text-of-part.js';
