export { type Ground, type Inspected, examineGround, examineQueue, inspectQueue, reason } from './examination.js';
export { type Finding, type Judged, VERDICTS, type Verdict, green, named, red, worst } from './finding.js';
export { judgeBacklog, judgeLateness, judgeSecrets, judgeSettings } from './judgements.js';
