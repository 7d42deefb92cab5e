import { render } from 'preact';
import './approval.css';
import { browserSurroundings } from './browser-surroundings.js';
import { ApprovalFlow } from './flow/flow.js';
import { pageFactsOf } from './service/page-facts.js';
import { approvalService } from './service/service.js';
import { ApprovalPage } from './view/approval-page.js';

// Replaces what the server has rendered by the page that can sign. Where its facts cannot be read, it stays as it is: a
// summary without a button.
const section = document.querySelector('section#approval');
const facts = section instanceof HTMLElement ? pageFactsOf(section.dataset) : null;
if (section !== null && facts !== null) {
  const kept = {
    asked: section.querySelector('[data-kept=asked]'),
    compare: section.querySelector('[data-kept=compare]'),
  };
  const service = approvalService(facts.paths, (path, init) => window.fetch(path, init));
  const flow = new ApprovalFlow(facts, service, browserSurroundings(window), (state) => {
    render(<ApprovalPage state={state} actions={flow} kept={kept} />, section);
  });
  section.replaceChildren();
  flow.start();
}
