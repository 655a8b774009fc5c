package limit

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// suggested is the most errors of a document for which validation suggests the names that were meant: it compares each
// with all known ones, letter by letter.
const suggested = 10

// quick are the rules of validation without suggestions.
var quick = withoutSuggestions()

func withoutSuggestions() *rules.Rules {
	all := rules.NewDefaultRules()
	for of, without := range map[string]core.Rule{
		rules.FieldsOnCorrectTypeRule.Name: rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
		rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.ScalarLeafsRule.Name:         rules.ScalarLeafsRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	} {
		all.ReplaceRule(of, without.RuleFunc)
	}
	return all
}

// Validate returns what is wrong with a document that CheckDocument accepts.
func Validate(schema *ast.Schema, doc *ast.QueryDocument) gqlerror.List {
	list := validator.ValidateWithRules(schema, doc, quick)
	if n := len(list); n == 0 || n > suggested {
		return list
	}
	return validator.ValidateWithRules(schema, doc, rules.NewDefaultRules())
}

// documentCost is what it costs to parse and validate a document in addition to a unit for each byte.
const documentCost = 500

// DocumentCost returns what it costs to parse and validate a document, in units of the rate `cost`.
func DocumentCost(query string) int { return documentCost + len(query) }
