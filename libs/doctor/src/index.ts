export {
  type Installation,
  type QueueInspection,
  examineInstallation,
  examineQueue,
  examineServers,
  inspectQueue,
  isMigrated,
  errorReason,
} from './examination.js';
export { type Finding, type CheckResult, type Verdict, amber, green, toFinding, red, worst } from './finding.js';
export { examineAttachments, examineDisk } from './files.js';
export { checkMailboxes, examineImap, examineMail } from './mail.js';
export { checkBacklog, checkLateness, checkProcessClocks, checkSecrets, checkSettings } from './checks.js';
export { readClocks, readImapState, readMailState } from './doctor.statements.js';
