// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package internal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// mutantTimeout bounds building and testing one mutant.
const mutantTimeout = 3 * time.Minute

// Every rule that guards against a known kind of fault is switched off in turn, and
// its test has to fail. A share runs each time, all of them in the campaign.
func TestCampaignRulesSwitchedOff(t *testing.T) {
	if testing.Short() {
		t.Skip("mutants are built and tested one by one, which -short has no time for")
	}
	chosen := mutants
	if os.Getenv("KAFKASTORAGE_CAMPAIGN") != "full" {
		const seed = 20261129
		order := rand.New(rand.NewPCG(seed, seed)).Perm(len(mutants)) //nolint:gosec // a reproducible share
		chosen = nil
		for _, i := range order[:max(5, len(mutants)/10)] {
			chosen = append(chosen, mutants[i])
		}
	}
	noticed := 0
	for _, m := range chosen {
		output, err := m.run(t)
		switch {
		case err != nil:
			t.Errorf("%s, %s: %v\n%s", m.kind, m.rule, err, output)
		case !regexp.MustCompile(`--- FAIL: ` + m.test).MatchString(output):
			t.Errorf("%s: with the rule %q switched off %s does not fail:\n%s", m.kind, m.rule, m.test, output)
		default:
			noticed++
		}
	}
	t.Logf("campaign: rules switched off: %d of %d, noticed by their tests: %d", len(chosen), len(mutants), noticed)
}

// run tests the module with the mutant laid over its file. The overlay travels in
// GOFLAGS, so that a provider which the test builds itself has it too.
func (m mutant) run(t *testing.T) (string, error) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(top, filepath.FromSlash(m.file)))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(source), m.old); n != 1 {
		return "", fmt.Errorf("%q stands %d times in %s, not once", m.old, n, m.file)
	}
	folder := t.TempDir()
	changed := filepath.Join(folder, filepath.Base(path))
	if err := os.WriteFile(changed, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(t.Context(), mutantTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^"+m.test+"$", "./"+m.room)
	command.Dir = top
	// A campaign has to notice with the share that every run does.
	command.Env = append(os.Environ(), "KAFKASTORAGE_CAMPAIGN=", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+list))
	output, err := command.CombinedOutput()
	if strings.Contains(string(output), "[build failed]") || ctx.Err() != nil {
		return string(output), fmt.Errorf("the mutant does not build, or takes too long: %w", err)
	}
	return string(output), nil
}
