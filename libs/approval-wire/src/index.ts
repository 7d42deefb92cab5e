export type {
  ApprovalDeployment,
  ApprovalDocument,
  ApprovalPaths,
  ApprovalRequester,
  BalanceChange,
  DeclineAnswer,
  LinkAnswer,
  OriginatingRequest,
  ProgressAnswer,
  QrDrawing,
  ReadyCall,
  ServiceReading,
  SignedPart,
  SimulationAnswer,
  SubmissionAnswer,
} from './approval-document.js';
export { type ScreenText, screenTexts } from './screen-catalogue.js';
