package cli

import "sync"

func init() {
	commands = sync.OnceValue(func() []*command {
		return []*command{
			fitCommand(), pathCommand(), alternativesCommand(), cvCommand(), predictCommand(), evaluateCommand(), explainCommand(),
			showCommand(), reportCommand(), exportCommand(), verifyCommand(), serveCommand(),
			versionCommand(), optionsCommand(),
		}
	})
}
