// Each line is the whole text of a field, after a key was pressed. The field proposes repositories, with what was typed
// in angle brackets. A newer text replaces the one before.
//
//   swift run CompletingField                   asks GitHub
//   swift run CompletingField --stub            answers from sample data, without a network
//   swift run CompletingField --api-url URL     asks another server

import CurlTransport
import PortSupport

let pages = RepositoryPages(Arguments.ofProcess(), transport: CurlTransport.shared)
let field = CompletingField(reachability: pages.reachability, provider: pages.predictions)
for await content in field.contents(of: linesOfStandardInput()) { show(content) }
